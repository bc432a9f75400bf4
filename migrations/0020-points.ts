import { type Kysely, sql } from 'kysely'

/** The ledger of points, and the balance of each agent, which triggers keep at the sum of its entries and never below zero. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('points')
    .addColumn('seq', 'integer', column => column.primaryKey())
    .addColumn('account', 'integer', column => column.notNull().references('accounts.id'))
    .addColumn('match', 'integer', column => column.notNull().references('matches.id'))
    .addColumn('amount', 'integer', column =>
      column.notNull().check(sql`typeof(amount) = 'integer' and case kind
        when 'earned' then amount > 0
        when 'staked' then amount < 0
        when 'paid' then amount > 0
        when 'returned' then amount > 0
        when 'voided' then amount <= 0
        when 'restored' then amount >= 0
        else false end`),
    )
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('at', 'integer', column => column.notNull())
    .execute()
  await db.schema
    .createIndex('points_by_account')
    .on('points')
    .columns(['account', 'seq'])
    .execute()
  await db.schema.createIndex('points_by_match').on('points').columns(['match', 'seq']).execute()
  // No match pays twice. A match may be voided and restored again and again.
  await db.schema
    .createIndex('points_once')
    .unique()
    .on('points')
    .columns(['match', 'account', 'kind'])
    .where(sql.ref('kind'), 'in', sql`('earned', 'staked', 'paid', 'returned')`)
    .execute()
  await db.schema
    .createIndex('points_staked')
    .on('points')
    .columns(['match'])
    .where(sql.ref('kind'), '=', sql`'staked'`)
    .execute()
  for (const change of ['update', 'delete'])
    await sql`create trigger ${sql.ref(`points_no_${change}`)} before ${sql.raw(change)} on points
      begin select raise(abort, ${refused}); end`.execute(db)
  await sql`create trigger points_no_replace before insert on points
    when exists (select 1 from points where seq = new.seq
      or (match = new.match and account = new.account and kind = new.kind
        and kind in ('earned', 'staked', 'paid', 'returned')))
    begin select raise(abort, ${refused}); end`.execute(db)

  await db.schema
    .createTable('balances')
    .addColumn('account', 'integer', column => column.primaryKey().references('accounts.id'))
    .addColumn('balance', 'integer', column => column.notNull().check(sql`balance >= 0`))
    .execute()
  await db.schema
    .createIndex('balances_by_balance')
    .on('balances')
    .columns(['balance desc', 'account'])
    .execute()
  await sql`create trigger points_balance after insert on points
    begin
      insert into balances (account, balance) values (new.account, 0) on conflict do nothing;
      update balances set balance = balance + new.amount where account = new.account;
    end`.execute(db)
}

const refused = sql.lit('points: what is written here stays as it is')
