import { isPersonal } from '../../entities/personal.ts';
import { compositionOfMany, elements, embedded, string, toMany, toOne } from '../attributes.ts';
import { draftModel } from '../build-model.ts';
import { embeddable, standardEntity } from '../entity-builder.ts';

// Asserts contract/personal-data.md#declaration.
test('values and references to one can be personal, keys, collections of references and compositions cannot', () => {
  const { problems } = draftModel({
    entities: [
      embeddable('p_Home', { attributes: { city: string(10).personal() } }),
      standardEntity('p_Person', {
        attributes: {
          ...{ name: string(10).personal(), home: embedded('p_Home').personal(), tags: elements(10).personal() },
          notes: compositionOfMany('p_Note', 'person').personal(),
          friends: toMany('p_Friend', 'person').personal(),
        },
      }),
      standardEntity('p_Note', { attributes: { person: toOne('p_Person').personal() } }),
      standardEntity('p_Friend', { attributes: { person: toOne('p_Person').personal(), id: string(5).personal() } }),
    ],
  });
  expect(problems).toEqual([
    'p_Person.notes cannot be personal: it is no value and no reference to an owner',
    'p_Person.friends cannot be personal: it is no value and no reference to an owner',
    'p_Friend.id cannot be personal: it is the key, the version or an audit attribute',
  ]);
});

test('attributes that are computed of personal ones are personal, and references are not', () => {
  const { model } = draftModel({
    entities: [
      standardEntity('p_Person', {
        attributes: {
          ...{ name: string(10).personal(), code: string(10), boss: toOne('p_Person').personal() },
          short: string(3).computed(['code', 'name'], ({ name }) => String(name).slice(0, 3)),
          shorter: string(1).computed(['short'], ({ short }) => String(short).slice(0, 1)),
          half: string(3).computed(['code'], ({ code }) => String(code)),
        },
      }),
    ],
  });
  const person = model.entities.get('p_Person');
  const personal = [...(person?.attributes.values() ?? [])].filter((each) => person && isPersonal(person, each));
  expect(personal.map(({ name }) => name)).toEqual(['name', 'short', 'shorter']);
});
