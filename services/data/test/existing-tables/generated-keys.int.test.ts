import { defineApplication } from '@lintel/application';
import {
  bigInteger,
  compositionOfMany,
  decimal,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  long,
  toOne,
} from '@lintel/metadata';
import { runMigrations } from '@lintel/schema';
import { createTestDatabase } from '@lintel/testkit';
import { startDataOn } from '../data-fixture.ts';

test.each<[type: string, number: () => ReturnType<typeof integer | typeof long | typeof bigInteger | typeof decimal>]>([
  ['integer', integer],
  ['bigint', long],
  ['numeric(10)', () => decimal(10, 0)],
  ['numeric(20)', bigInteger],
])(
  'parts whose ids contain the generated %s of their owner are created with it',
  async (type, number) => {
    const at = (name: string) => ({ schema: 'public', name });
    const application = defineApplication({
      id: 'n',
      name: 'Notes',
      entities: [
        keyedEntity('n_Note', {
          table: at('note'),
          key: 'nr',
          generation: 'identity',
          attributes: { nr: number(), lines: compositionOfMany('n_Line', 'note') },
        }),
        embeddable('n_LineKey', { attributes: { note: number().mandatory(), line: integer().mandatory() } }),
        keyedEntity('n_Line', {
          table: at('line'),
          key: 'id',
          attributes: { id: embedded('n_LineKey').columnPrefix(''), note: toOne('n_Note').mandatory().column('note') },
        }),
      ],
    });
    const database = await createTestDatabase('generated-keys');
    await runMigrations({ url: database.url, migrations: [] });
    await database.query(`CREATE SEQUENCE note_nr START 1000;
    CREATE TABLE note (nr ${type} PRIMARY KEY DEFAULT nextval('note_nr'));
    ALTER SEQUENCE note_nr OWNED BY note.nr;
    CREATE TABLE line (note ${type} REFERENCES note, line integer, PRIMARY KEY (note, line))`);
    const data = await startDataOn(database, application, { admin: { resourceRoles: ['system-full-access'] } });
    try {
      const body = { lines: [{ id: { line: 1 } }, { line: 2 }] };
      const { status, text } = await data.send('admin', 'POST', '/entities/n_Note', body);
      expect([status, text]).toEqual([201, expect.stringContaining('1000')]);
      const rows = await database.query('SELECT note::text, line FROM line ORDER BY line');
      expect(rows).toEqual([
        { note: '1000', line: 1 },
        { note: '1000', line: 2 },
      ]);
    } finally {
      await data.close();
      await database.drop();
    }
  },
  60_000,
);
