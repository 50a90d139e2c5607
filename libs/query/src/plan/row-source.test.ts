import { buildModel, entityOf, keyedEntity, long, string, toMany, toOne } from '@lintel/metadata';
import type { ReadAccess } from '../access.ts';
import { parsePolicyCondition } from '../parse/language/parse-language.ts';
import { visibilityOf } from '../secure/visibility.ts';
import { createStatementContext } from './create-statement-context.ts';
import { reach } from './joins/plan-joins.ts';
import { SelectedKey } from './language/selected-key.ts';
import { openRows, type RowSource, rejoinByKey } from './row-source.ts';

const model = buildModel({
  entities: [
    keyedEntity('t_Pet', { key: 'id', attributes: { id: long(), name: string(50), owner: toOne('t_Owner') } }),
    keyedEntity('t_Cat', { key: 'id', extends: 't_Pet', attributes: { coat: string(50) } }),
    keyedEntity('t_Owner', { key: 'id', attributes: { id: long(), name: string(50), pets: toMany('t_Pet', 'owner') } }),
  ],
});
const pet = entityOf(model, 't_Pet');
const cat = entityOf(model, 't_Cat');
const owner = entityOf(model, 't_Owner');

const accessOf = (rows: Readonly<Record<string, string>>): ReadAccess => ({
  fingerprint: '',
  entity: (name) => ({
    canRead: true,
    mayView: () => true,
    rows: rows[name] === undefined ? undefined : parsePolicyCondition(rows[name]),
    predicates: [],
  }),
});
const LIMITED = visibilityOf(model, accessOf({ t_Pet: "{E}.name = 'a'", t_Owner: "{E}.name = 'b'" }));
const FREE = visibilityOf(model, accessOf({}));

const kindsOf = ({ rows }: RowSource): readonly string[] => rows.where.map(({ kind }) => kind);

describe('opened rows', () => {
  test('have the row conditions of the caller after those by which they belong to another row', () => {
    const context = createStatementContext(model);
    const { source } = openRows(owner, context, LIMITED, { deleted: 'hidden' });
    expect(source.rows.where).toMatchObject([{ kind: 'compare', operator: '=' }]);
    const pets = owner.attributes.get('pets');
    if (pets?.kind !== 'reference') throw new Error('No reference');
    const reached = reach(source, pets, '', LIMITED);
    expect(kindsOf(reached.source)).toEqual(['same', 'compare']);
    expect(reached.source.rows.where.slice(0, 1)).toEqual(reached.link);
  });

  test('have none where all rows may be seen', () => {
    const { source } = openRows(owner, createStatementContext(model), FREE, { deleted: 'hidden' });
    expect(source.rows).toEqual({ from: { table: expect.anything(), alias: 't0', joins: [] }, where: [] });
  });
});

describe('a row that is joined once more', () => {
  const visible = (): RowSource => openRows(pet, createStatementContext(model), LIMITED, { deleted: 'hidden' }).source;

  test('is that of the same key, in the table of the entity or of a descendant', () => {
    for (const entity of [pet, cat])
      expect(rejoinByKey(visible(), entity).rows.where).toEqual([
        { kind: 'same', left: { alias: 't1', name: 'id' }, right: { alias: 't0', name: 'id' } },
      ]);
  });

  test('is never that of another entity, whose keys are those of other instances', () => {
    expect(() => rejoinByKey(visible(), owner)).toThrow('A row of t_Pet is none of t_Owner');
    const descendant = rejoinByKey(visible(), cat);
    expect(() => rejoinByKey(descendant, pet)).toThrow('A row of t_Cat is none of t_Pet');
  });

  test('may be found by its key in a SELECT, if its key is what is selected', () => {
    const row = visible();
    const selected = row.keyColumns().map((column) => ({ kind: 'column', column }) as const);
    const column = { alias: 'selected', name: 'c0' };
    const found = rejoinByKey(new SelectedKey(row, selected, [column]), pet);
    expect(found.rows.where).toEqual([{ kind: 'same', left: { alias: 't1', name: 'id' }, right: column }]);
    const reference = { kind: 'column', column: { alias: 't0', name: 'owner_id' } } as const;
    expect(() => new SelectedKey(row, [reference], [column])).toThrow('The key of t_Pet is not what is selected');
    expect(() => new SelectedKey(row, [], [])).toThrow('The key of t_Pet is not what is selected');
  });
});
