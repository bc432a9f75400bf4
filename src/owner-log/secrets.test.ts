import { expect, it } from 'vitest'
import { withoutSecrets } from './secrets.ts'

const token = 'abbs_k3Jx9vQm0cS1aB7zLr2WtY5uHn8eGd4FpIoVq6RwTyU'
const key = '123e4567-e89b-42d3-a456-426614174000'

it.each([
  `{"type":"join","game":"ttt","token":"${token}"}`,
  `game=ttt&token=${token}`,
  `{"error":"this is not JSON: \\"token ${token}\\""}`,
  `{"error":"this is not JSON: \\"token ${token.slice(0, 20)}…\\""}`,
  `{"a":"\\u0061${token.slice(1)}"}`,
  `{"type":"authenticate","token":"${key}"}`,
  `{"type":"authenticate","token" : "${key.slice(0, 20)}`,
  `{"error":"got {\\"apiKey\\":\\"${key}\\"}"}`,
  `{"headers":{"Authorization":"Bearer ${key}"}}`,
  `Authorization: Bearer ${key}`,
  `{"api_key":"${key}","password":"${key}"}`,
])('nothing of a secret is left of %s', line => {
  const clean = withoutSecrets(line, null)
  expect(clean).toContain('removed')
  expect(clean).not.toContain(token.slice(5, 12))
  expect(clean).not.toContain(key.slice(0, 8))
})

it('the secret of a connection is removed wherever it stands', () => {
  expect(withoutSecrets(`{"move":"${key}"}`, key)).toBe('{"move":"…removed…"}')
  expect(withoutSecrets(`{"move":"\\u0031${key.slice(1)}"}`, key)).toBe('{"move":"…removed…"}')
})

it.each([
  '{"type":"state","observation":{"board":["X"]},"yourTurn":true}',
  '{"type":"state","observation":{"tokens":5,"keys":["a"]},"move":"a\\u0041"}',
  `{"type":"authenticated","agentId":"${key}"}`,
])('a line without a secret stays as it is: %s', line => {
  expect(withoutSecrets(line, 'abbs_other')).toBe(line)
})
