import { historyOf, historyTablesOf } from '../../storage/history-tables.ts';
import { compositionOfMany, elements, string, toOne } from '../attributes.ts';
import { draftModel } from '../build-model.ts';
import { keyedEntity, standardEntity } from '../entity-builder.ts';

const attributes = { name: string(10) };

test('a history that cannot be recorded is refused with the reason', () => {
  const location = { schema: 'old', name: 'thing' };
  const { problems } = draftModel({
    entities: [
      standardEntity('p_Base', { attributes }),
      standardEntity('p_Child', { attributes: {}, extends: 'p_Base', history: true }),
      standardEntity('p_Wrong', { attributes, history: { attributes: ['nam'] } }),
      standardEntity('p_Kept', { attributes, history: { retention: '2 years' } }),
      standardEntity('p_Short', { attributes, history: { retention: 'P1Y6M' } }),
      keyedEntity('p_View', { attributes, key: 'name', view: location, history: true }),
    ],
  });
  expect(problems).toEqual([
    'p_Child cannot have a history: it is declared by the root, not by a descendant',
    'The history of p_Wrong names the attribute nam, which is not stored; did you mean name?',
    'The history of p_Kept is kept for 2 years, which is not a duration such as P2Y or P90D',
    'p_View cannot have a history: it has no table with a key',
  ]);
  const foreign = draftModel({
    entities: [keyedEntity('p_Old', { attributes, key: 'name', table: location, history: true })],
  });
  expect(foreign.problems).toEqual(['p_Old cannot have a history: the table old.thing belongs to another owner']);
});

test('an access log that cannot be recorded is refused with the reason', () => {
  const { problems } = draftModel({
    entities: [
      standardEntity('p_Base', { attributes, accessLog: true }),
      standardEntity('p_Child', { attributes: {}, extends: 'p_Base', accessLog: true }),
      standardEntity('p_Kept', { attributes, accessLog: { retention: '2 years' } }),
    ],
  });
  expect(problems).toEqual([
    'p_Child cannot have an access log: it is declared by the root, not by a descendant',
    'The access log of p_Kept is kept for 2 years, which is not a duration such as P2Y or P90D',
  ]);
});

test('children of two entities with a history are refused', () => {
  const { problems } = draftModel({
    entities: [
      standardEntity('p_One', { attributes: { notes: compositionOfMany('p_Note', 'one') }, history: true }),
      standardEntity('p_Two', { attributes: { notes: compositionOfMany('p_Note', 'two') }, history: true }),
      standardEntity('p_Note', { attributes: { one: toOne('p_One'), two: toOne('p_Two') } }),
    ],
  });
  expect(problems).toEqual(['p_Two and p_One cannot both have a history: rows of p.note are parts of both']);
});

test('a tree records its rows once, and only children of the first level', () => {
  const { model } = draftModel({
    entities: [
      standardEntity('p_Node', {
        attributes: {
          tags: elements(5),
          secret: string(5).secret(),
          parent: toOne('p_Node'),
          children: compositionOfMany('p_Node', 'parent'),
        },
        history: { attributes: ['tags', 'children'] },
      }),
    ],
  });
  expect(historyTablesOf(model).map(({ name, omitted, secret }) => [name, omitted, secret])).toEqual([
    ['node', ['secret', 'secret', 'parent_id'], ['secret']],
    ['node_tags', [], []],
  ]);
  const [first] = model.entities.values();
  expect(first && historyOf(model, first).children).toEqual([]);
});
