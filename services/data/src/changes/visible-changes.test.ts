import {
  buildModel,
  embeddable,
  embedded,
  integer,
  keyedEntity,
  long,
  standardEntity,
  string,
  uuid,
} from '@lintel/metadata';
import { parsePolicyCondition, type ReadAccess } from '@lintel/query';
import type { CallerAccess } from '@lintel/reading';
import { cases, fc } from '@lintel/testkit/properties';
import { type EntityChange, idJson } from './entity-change.ts';
import { SentInstances } from './sent-instances.ts';
import { type VisibleRows, visibleChanges } from './visible-changes.ts';

const model = buildModel({
  entities: [
    embeddable('t_Location', { attributes: { city: string(20), street: string(20) } }),
    standardEntity('t_Car', {
      attributes: { vin: string(20), colour: string(20), location: embedded('t_Location'), code: string().secret() },
    }),
    standardEntity('t_Truck', { extends: 't_Car', attributes: { load: integer(), owner: string(20) } }),
    keyedEntity('t_Count', { key: 'id', attributes: { id: long(), name: string(20) } }),
  ],
});
const car = model.entities.get('t_Car') as NonNullable<ReturnType<typeof model.entities.get>>;

interface Rights {
  /** Entities that may be read; default: all. */
  readonly readable?: readonly string[];
  /** `entity.attribute` that may not be viewed. */
  readonly hidden?: readonly string[];
  readonly hasRules?: boolean;
}

function accessWith({ readable, hidden = [], hasRules = false }: Rights): CallerAccess {
  const rule = parsePolicyCondition("{E}.colour = 'red'", undefined, undefined);
  const read: ReadAccess = {
    fingerprint: JSON.stringify([readable, hidden, hasRules]),
    entity: (name) => ({
      canRead: readable?.includes(name) ?? true,
      mayView: (attribute) => !hidden.includes(`${name}.${attribute}`),
      rows: hasRules ? rule : undefined,
      predicates: [],
    }),
  };
  return { read, sessionValue: () => undefined, locale: '' };
}

let sequence = 0;
const change = (
  kind: EntityChange['kind'],
  id: string,
  attributes: readonly string[] = [],
  entity = 't_Car',
): EntityChange => {
  sequence += 1;
  return { sequence, entity, id, kind, attributes };
};

const noLookup: VisibleRows = () => {
  throw new Error('Nothing is to be looked up');
};
const seeing =
  (...ids: readonly string[]): VisibleRows =>
  async (_entity, asked) =>
    new Set(asked.filter((id) => ids.includes(id)));

async function send(
  changes: readonly EntityChange[],
  rights: Rights,
  rows: VisibleRows = noLookup,
  sent = new SentInstances(100),
): Promise<readonly string[]> {
  const visible = await visibleChanges(changes, car, { access: accessWith(rights), sent }, model, rows);
  return visible.map(({ kind, id, attributes }) => `${kind} ${id} ${attributes.join()}`.trim());
}

test('without row-level rules all changes are sent, deletions too, without a statement', async () => {
  const changes = [change('created', 'a', ['vin']), change('updated', 'a', ['vin']), change('deleted', 'a')];
  expect(await send(changes, {})).toEqual(['created a vin', 'updated a vin', 'deleted a']);
});

test('changes of other entities are omitted, those of descendants are sent', async () => {
  const changes = [change('created', 'a', ['name'], 't_Count'), change('created', 'b', ['vin', 'load'], 't_Truck')];
  expect(await send(changes, {})).toEqual(['created b vin,load']);
});

test('a caller who may not read the entity is refused', async () => {
  await expect(send([], { readable: ['t_Truck'] })).rejects.toMatchObject({ code: 'ACCESS_READ_DENIED' });
});

test('attributes that may not be viewed are not named, and an update of them alone is not sent', async () => {
  const changes = [
    change('updated', 'a', ['colour', 'vin']),
    change('updated', 'b', ['colour']),
    change('created', 'c', ['colour']),
  ];
  expect(await send(changes, { hidden: ['t_Car.colour', 't_Truck.colour'] })).toEqual(['updated a vin', 'created c']);
});

test('secret attributes and names that the model does not have are never sent, dynamic ones are', async () => {
  expect(await send([change('updated', 'a', ['code', 'former', '+extra'])], {})).toEqual(['updated a +extra']);
});

test('an embedded attribute is named if all of its values may be viewed', async () => {
  const changes = [change('updated', 'a', ['location', 'vin'])];
  expect(await send(changes, {})).toEqual(['updated a location,vin']);
  expect(await send(changes, { hidden: ['t_Location.street'] })).toEqual(['updated a vin']);
  expect(await send(changes, { readable: ['t_Car', 't_Truck'] })).toEqual(['updated a vin']);
});

test('an attribute hidden for a descendant is hidden for the entity, and its own attributes need the right to read it', async () => {
  const changes = [change('updated', 'a', ['colour', 'load'], 't_Truck')];
  expect(await send(changes, { hidden: ['t_Truck.colour'] })).toEqual(['updated a load']);
  expect(await send(changes, { readable: ['t_Car'] })).toEqual(['updated a colour']);
});

test('with row-level rules only changes of instances that are visible now are sent', async () => {
  const changes = [change('created', 'a', ['vin']), change('created', 'b', ['vin']), change('updated', 'c', ['vin'])];
  expect(await send(changes, { hasRules: true }, seeing('b'))).toEqual(['created b vin']);
});

test('an instance that becomes invisible, by an update or a deletion, is sent once as removed if it was sent before', async () => {
  const sent = new SentInstances(100);
  const rights = { hasRules: true, hidden: ['t_Car.colour', 't_Truck.colour'] };
  const before = ['a', 'b'].map((id) => change('created', id, ['vin']));
  expect(await send(before, rights, seeing('a', 'b'), sent)).toEqual(['created a vin', 'created b vin']);
  // Hidden by an attribute that the caller may not view; no change of the third one was ever sent.
  const after = [change('updated', 'a', ['colour']), change('deleted', 'b'), change('deleted', 'c')];
  expect(await send(after, rights, seeing(), sent)).toEqual(['removed a', 'removed b']);
  expect(await send([change('deleted', 'a'), change('updated', 'b', ['vin'])], rights, seeing(), sent)).toEqual([]);
});

test('the removal of an instance that was forgotten is not sent', async () => {
  const sent = new SentInstances(1);
  const changes = ['a', 'b', 'a'].map((id) => change('updated', id, ['vin']));
  await send(changes, { hasRules: true }, seeing('a', 'b'), sent);
  expect(await send([change('deleted', 'a'), change('deleted', 'b')], { hasRules: true }, noLookup, sent)).toEqual([
    'removed a',
  ]);
});

test('no change of an instance that is never visible is sent', async () => {
  const moves = fc.array(
    fc.record({
      kind: fc.constantFrom('created' as const, 'updated' as const, 'deleted' as const),
      id: fc.constantFrom('shown', 'other', 'hidden'),
      attributes: fc.subarray(['vin', 'colour', 'version']),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(moves), fc.array(fc.subarray(['shown', 'other'])), async (batches, visible) => {
      const sent = new SentInstances(2);
      for (const [at, batch] of batches.entries()) {
        const changes = batch.map(({ kind, id, attributes }) => change(kind, id, attributes));
        const rows = seeing(...(visible[at] ?? []));
        const all = await send(changes, { hasRules: true }, rows, sent);
        const again = await send(
          changes.filter(({ id }) => id !== 'hidden'),
          { hasRules: true },
          rows,
          new SentInstances(2),
        );
        expect(all.filter((line) => line.includes('hidden'))).toEqual([]);
        // Creations and updates depend neither on earlier messages nor on hidden instances.
        const ofNow = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('removed'));
        expect(ofNow(all)).toEqual(ofNow(again));
      }
    }),
    cases(100),
  );
});

test('ids are sent in the form of the entity API, with all digits', () => {
  const count = model.entities.get('t_Count') as typeof car;
  expect(idJson(model, count, '9007199254740993')).toBe('9007199254740993');
  expect(idJson(model, car, '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11')).toBe('"6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11"');
  const keyed = buildModel({
    entities: [
      embeddable('k_Key', { attributes: { line: long(), part: uuid(), name: string(5) } }),
      keyedEntity('k_Thing', { key: 'id', attributes: { id: embedded('k_Key'), name: string(5) } }),
    ],
  });
  const id = { line: '9007199254740993', part: '6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11', name: 'ä"' };
  const path = Buffer.from(JSON.stringify(id)).toString('base64url');
  expect(idJson(keyed, keyed.entities.get('k_Thing') as typeof car, path)).toBe(
    '{"line":9007199254740993,"part":"6b1b36c2-2f0e-4a54-8f0e-0d0f5f3d7a11","name":"ä\\""}',
  );
});
