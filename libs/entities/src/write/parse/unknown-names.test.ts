import { buildModel, entityOf, standardEntity, string } from '@lintel/metadata';
import { readExactJson } from '@lintel/query';
import { shortCopy, UnknownNames } from './unknown-names.ts';

const model = buildModel({ entities: [standardEntity('t_Pet', { attributes: { name: string(9), chip: string(9) } })] });
const pet = entityOf(model, 't_Pet');
const body = (members: object) => {
  const json = readExactJson(JSON.stringify(members));
  if (typeof json !== 'object' || json === null) throw new Error('An object is expected');
  return json as Readonly<Record<string, never>>;
};
const others = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`u${at}`, 1]));

test('a copy has all members with a meaning, and only the first of the others', () => {
  const copy = shortCopy(model, pet, body({ id: 'x', ...others(1_000), name: 'a', _instanceName: 'n' }), ['id']);
  expect(Object.keys(copy).length).toBeLessThan(100);
  expect(copy).toMatchObject({ u0: expect.anything(), name: 'a', _instanceName: 'n' });
  expect(copy).not.toHaveProperty('id');
});

test('a member of the name __proto__ is copied as a member', () => {
  const json = readExactJson('{"__proto__": {"name": "a"}}') as Readonly<Record<string, never>>;
  const copy = shortCopy(model, pet, json, []);
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(copy['name']).toBeUndefined();
});

test('of many unknown members the same number is named, in one object or in several', () => {
  const view = () => ({ mayView: (name: string) => name !== 'chip' });
  const one = new UnknownNames(model, view, false);
  one.check(pet, body({ chip: 'x', ...others(1_000) }), '');
  const several = new UnknownNames(model, view, false);
  several.check(pet, body({ chip: 'x', u0: 1 }), '');
  several.check(pet, body(others(1_000)), '');
  expect(one.names).toEqual(several.names);
  expect(one.names?.[0]).toBe('chip');
});
