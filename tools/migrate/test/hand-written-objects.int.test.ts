import { buildModel, integer, type Model, standardEntity, string, toOne } from '@lintel/metadata';
import { compareWithModel, detectDrift, revertMigrations, runMigrations, type SchemaMigration } from '@lintel/schema';
import { SYSTEM_ENTITIES } from '@lintel/security';
import { createTestDatabase, type TestDatabase } from '@lintel/testkit';

let server: TestDatabase;

beforeEach(async () => {
  server = await createTestDatabase('hand_written');
});
afterEach(() => server.drop());

const clinic = (more: Record<string, ReturnType<typeof integer>> = {}): Model =>
  buildModel({
    entities: [
      ...SYSTEM_ENTITIES,
      standardEntity('clinic_Room', { attributes: { name: string(20), floor: integer(), ...more } }),
      standardEntity('clinic_Visit', { attributes: { room: toOne('clinic_Room'), note: string(50) } }),
    ],
  });

const BY_HAND = [
  'CREATE EXTENSION btree_gist',
  'CREATE EXTENSION pg_trgm',
  'ALTER TABLE clinic.room ADD CONSTRAINT floor_is_real CHECK (floor > -3)',
  'ALTER TABLE clinic.room ADD CONSTRAINT one_name UNIQUE (name)',
  'ALTER TABLE clinic.visit ADD CONSTRAINT no_overlap EXCLUDE USING gist (room_id WITH =) WHERE (note IS NOT NULL)',
  'CREATE INDEX note_trgm ON clinic.visit USING gin (note gin_trgm_ops)',
  'CREATE INDEX note_upper ON clinic.visit (upper(note)) WHERE version > 1',
  'CREATE INDEX plain ON clinic.visit (note)',
  'CREATE STATISTICS clinic.room_stats ON name, floor FROM clinic.room',
  `CREATE FUNCTION clinic.touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
  'CREATE TRIGGER touched BEFORE UPDATE ON clinic.room FOR EACH ROW EXECUTE FUNCTION clinic.touch()',
  'ALTER TABLE clinic.room ENABLE ROW LEVEL SECURITY',
  'CREATE POLICY readable ON clinic.room FOR SELECT USING (true)',
  `COMMENT ON COLUMN clinic.room.name IS 'as on the door'`,
  `ALTER TABLE clinic.room ALTER COLUMN floor SET DEFAULT 0`,
  'ALTER TABLE clinic.room ADD label text GENERATED ALWAYS AS (upper(name)) STORED',
  'GRANT SELECT ON clinic.room TO PUBLIC',
  'CREATE TABLE clinic.import_log (id bigint PRIMARY KEY)',
];

async function withHandWritten(): Promise<readonly SchemaMigration[]> {
  const first = await compareWithModel({ url: server.url, model: clinic(), migrations: [] });
  return [
    { name: '1795000000000-initial', up: first.up, down: first.down },
    { name: '1795000000001-by-hand', up: BY_HAND, down: [] },
  ];
}

const KEPT = [
  'column clinic.room.label',
  'unique constraint clinic.room.one_name',
  'check clinic.room.floor_is_real',
  'exclusion clinic.visit.no_overlap',
  'index clinic.visit.note_trgm',
  'index clinic.visit.note_upper',
  'index clinic.visit.plain',
  'statistics clinic.room.room_stats',
  'trigger clinic.room.touched',
  'policy clinic.room.readable',
  'row security clinic.room.room',
  'privileges clinic.room.room to PUBLIC',
  'comment clinic.room.name',
];

test('an unrelated change drops nothing that was written by hand, and check and drift list it as kept', async () => {
  const migrations = await withHandWritten();
  const { up, kept, warnings } = await compareWithModel({
    url: server.url,
    model: clinic({ beds: integer() }),
    migrations,
  });
  expect(up).toEqual(['ALTER TABLE "clinic"."room" ADD "beds" integer']);
  expect(warnings).toEqual([]);
  const said = kept.map(({ object, table, name }) => [object, [table, name].filter(Boolean).join('.')].join(' '));
  expect(said.toSorted()).toEqual([...KEPT, 'table clinic.import_log'].toSorted());
  await runMigrations({ url: server.url, migrations });
  const { fits, findings } = await detectDrift({ url: server.url, model: clinic(), migrations });
  expect(fits).toBe(true);
  const found = findings
    .filter(({ kind }) => kind === 'kept')
    .map(({ object, table, name }) => `${object} ${table}.${name}`);
  expect(found.toSorted()).toEqual(KEPT.toSorted());
});

test('what a removed column takes away is dropped by name, and comes back with the undo exactly', async () => {
  const migrations = await withHandWritten();
  const model = buildModel({
    entities: [...SYSTEM_ENTITIES, standardEntity('clinic_Room', { attributes: { floor: string(5) } })],
  });
  const { up, down, warnings } = await compareWithModel({ url: server.url, model, migrations });
  expect(up).toEqual(
    expect.arrayContaining([
      'ALTER TABLE "clinic"."room" DROP CONSTRAINT "one_name"',
      'DROP STATISTICS "clinic"."room_stats"',
      'DROP TABLE "clinic"."visit"',
    ]),
  );
  // The generated column and the check need the columns: a person decides.
  expect(warnings.at(-1)).toContain('fails:');
  const free = migrations.map((each) => ({
    ...each,
    up: each.up.filter((text) => !/GENERATED ALWAYS AS \(upper|floor_is_real|DEFAULT 0/.test(text)),
  }));
  const step = await compareWithModel({ url: server.url, model, migrations: free });
  expect(step.warnings.filter((each) => /" fails:|does not (restore|lead)/.test(each))).toEqual([]);
  const all = [...free, { name: '1795000000002-less', up: step.up, down: step.down }];
  await runMigrations({ url: server.url, migrations: all });
  await revertMigrations({ url: server.url, migrations: all, allowDataLoss: true });
  expect((await detectDrift({ url: server.url, model: clinic(), migrations: free })).fits).toBe(true);
  expect(down.some((each) => each.startsWith('COMMENT ON COLUMN'))).toBe(true);
});
