# Prints a legal move for each state on standard input, at random: awk -v game=GAME -v seed=N -f random-move.awk

BEGIN { srand(seed) }

/"legal":/ {
  moves = list("legal")
  print one_of(moves, substr(moves, 1, 1) == "{" ? "[{][^}]*}" : "\"[^\"]*\"")
  next
}

game == "echo" { print "{\"number\":" 1 + below(10) "}" }

game == "blotto" {
  split("0 0 0 0 0", soldiers, " ")
  for (left = 10; left > 0; left--) soldiers[1 + below(5)]++
  print "{\"allocation\":[" soldiers[1] "," soldiers[2] "," soldiers[3] "," soldiers[4] "," soldiers[5] "]}"
}

game == "dance-battle" {
  print "{\"commands\":[" step(0) "," step(1) ",{\"beatIndex\":2,\"kind\":\"action\",\"action\":" \
    one_of("\"rock\" \"paper\" \"scissors\"", "\"[a-z]*\"") "}]}"
}

game == "skill-gomoku" { print stone_or_skill() }

game == "resource-rush" { print one_of(list("possibleActions"), "[{][^}]*}") }

game == "bazaar" { print "{\"action\":\"message\",\"content\":\"Make me an offer.\"}" }

game == "debate" || game == "spicy-debate" { print "{\"action\":\"message\",\"content\":\"Who gains, and who pays?\"}" }

function below(n) { return int(rand() * n) }

# What stands between [ and ] after the name of a field.
function list(field) {
  return match($0, "\"" field "\":[[][^]]*") ? substr($0, RSTART + length(field) + 4, RLENGTH - length(field) - 4) : ""
}

function one_of(text, pattern,    found, n) {
  for (n = 0; match(text, pattern); text = substr(text, RSTART + RLENGTH)) found[n++] = substr(text, RSTART, RLENGTH)
  return found[below(n)]
}

function step(beat) {
  return "{\"beatIndex\":" beat ",\"kind\":\"move\",\"direction\":" \
    one_of("\"up\" \"down\" \"left\" \"right\" \"hold\"", "\"[a-z]*\"") "}"
}

function stone_or_skill(    me, stones, closed, sealed, energy, free, own, n, m, i, cell) {
  match($0, /"toMove":[01]/)
  me = substr($0, RSTART + 9, 1) + 1
  match($0, /"board":[][0-2,]*/)
  stones = substr($0, RSTART + 8, RLENGTH - 8)
  gsub(/[^0-2]/, "", stones)
  closed = list("quietZoneCells")
  sealed = list("sealedStones")
  for (i = n = m = 0; i < 225; i++) {
    cell = "\"row\":" int(i / 15) ",\"col\":" (i % 15)
    if (substr(stones, i + 1, 1) == 0 && !index(closed, cell ",\"owner\":" (3 - me))) free[n++] = cell
    if (substr(stones, i + 1, 1) == me && !index(sealed, cell ",")) own[m++] = cell
  }
  if (n > 0) return "{\"type\":\"place\"," free[below(n)] "}"
  split(list("energy"), energy, ",")
  if (energy[me] >= 2) return "{\"type\":\"skill\",\"skill\":\"uproot\",\"target\":{\"row\":7,\"col\":7}}"
  return "{\"type\":\"skill\",\"skill\":\"stillwater\",\"target\":{" own[below(m)] "}}"
}
