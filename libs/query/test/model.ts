import {
  arrayOf,
  boolean,
  buildModel,
  byteArray,
  compositionOfMany,
  compositionOfOne,
  decimal,
  double,
  dto,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  keyedEntity,
  localDate,
  localDateTime,
  localTime,
  long,
  manyToMany,
  manyToManyInverse,
  offsetDateTime,
  offsetTime,
  softDeletedEntity,
  standardEntity,
  string,
  textForm,
  toMany,
  toOne,
  toOneInverse,
  uuid,
  withDynamicAttributes,
} from '@lintel/metadata';
import { DYNAMIC_ATTRIBUTES } from './dynamic-attributes.ts';

/** A small model with every kind of entity and attribute that the compiler knows. */
const Color = enumeration('t.Color', { RED: 'r', GREEN: 'g' });
const Level = enumeration('t.Level', { LOW: 1, HIGH: 2 });

const PLAIN = { traits: {} } as const;

const application = buildModel({
  enums: [Color, Level],
  entities: [
    embeddable('t_Address', { attributes: { country: string(2), city: string(50) } }),
    softDeletedEntity('t_Owner', {
      attributes: {
        name: string(50).mandatory().searchable(),
        level: enumOf(Level),
        salary: decimal(19, 2),
        password: string(50).secret(),
        address: embedded('t_Address'),
        nicknames: elements(20),
        pets: toMany('t_Pet', 'owner'),
      },
      instanceName: ['name'],
    }),
    softDeletedEntity('t_Pet', {
      attributes: {
        name: string(50).mandatory(),
        color: enumOf(Color),
        weight: decimal(10, 3),
        ratio: double(),
        serial: long(),
        age: integer(),
        alive: boolean(),
        born: localDate(),
        seenAt: localDateTime(),
        chippedAt: offsetDateTime(),
        feedAt: localTime(),
        chip: uuid(),
        photo: byteArray(),
        owner: toOne('t_Owner').searchable(),
        passport: compositionOfOne('t_Passport'),
        licence: toOneInverse('t_Licence', 'pet'),
        tags: manyToMany('t_Tag'),
        visits: compositionOfMany('t_Visit', 'pet'),
        visitCount: integer().computed(['visits'], ({ visits }) => (Array.isArray(visits) ? visits.length : null)),
        doubleAge: integer().computed(['age'], ({ age }) => (typeof age === 'number' ? age * 2 : null)),
        scratch: string(10).transient(),
      },
      instanceName: ['{name}', ' of ', '{owner}'],
    }),
    standardEntity('t_Passport', { attributes: { code: string(20).mandatory() } }),
    softDeletedEntity('t_Licence', {
      attributes: { code: string(20), pet: toOne('t_Pet').unique() },
      instanceName: ['{code}', ' for ', '{pet}'],
    }),
    keyedEntity('t_Tag', {
      key: 'code',
      attributes: { code: string(10), label: string(50), pets: manyToManyInverse('t_Pet', 'tags') },
      instanceName: ['label'],
      ...PLAIN,
    }),
    keyedEntity('t_Visit', {
      key: 'id',
      generation: 'identity',
      attributes: {
        id: long(),
        pet: toOne('t_Pet').mandatory(),
        staff: toOne('t_Staff'),
        cost: decimal(10, 2),
        rate: toOne('t_Rate'),
      },
      instanceName: {
        kind: 'method',
        dependsOn: ['staff', 'cost'],
        format: ({ staff, cost }) => `${staff ?? 'nobody'}: ${cost ?? 'free'}`,
      },
      ...PLAIN,
    }),
    keyedEntity('t_Staff', {
      key: 'id',
      abstract: true,
      attributes: { id: integer(), name: string(50).searchable({ prefix: true }) },
      instanceName: ['name'],
      ...PLAIN,
    }),
    keyedEntity('t_Vet', {
      key: 'id',
      extends: 't_Staff',
      attributes: { licence: string(20) },
      instanceName: ['Dr. ', '{name}'],
    }),
    keyedEntity('t_Nurse', { key: 'id', extends: 't_Staff', attributes: { ward: string(20) } }),
    keyedEntity('t_Unit', {
      key: 'number',
      attributes: { number: integer(), whole: toOne('t_Unit').tree(), parts: toMany('t_Unit', 'whole') },
      ...PLAIN,
    }),
    embeddable('t_RateKey', { attributes: { currency: string(3), validOn: localDate() } }),
    keyedEntity('t_Rate', {
      key: 'id',
      attributes: { id: embedded('t_RateKey'), value: decimal(19, 6) },
      ...PLAIN,
    }),
    keyedEntity('t_Reading', {
      key: 'id',
      attributes: {
        id: integer(),
        color: enumOf(Color),
        level: enumOf(Level),
        alive: boolean(),
        count: long(),
        amount: decimal(20, 4),
        exact: decimal(60, 20),
        ratio: double(),
        born: localDate(),
        seenAt: localDateTime(),
        chippedAt: offsetDateTime(),
        feedAt: localTime(),
        opensAt: offsetTime(),
      },
      instanceName: [
        ...['{color}', ' ', '{level}', ' ', '{alive}', ' ', '{count}', ' ', '{amount}', ' ', '{exact}', ' ', '{ratio}'],
        ...[' ', '{born}', ' ', '{seenAt}', ' ', '{chippedAt}', ' ', '{feedAt}', ' ', '{opensAt}'],
      ],
      ...PLAIN,
    }),
    keyedEntity('t_Remark', {
      key: 'id',
      attributes: { id: integer(), reading: toOne('t_Reading'), level: enumOf(Level), count: long() },
      instanceName: {
        kind: 'method',
        dependsOn: ['level', 'count', 'reading'],
        format: ({ level, count, reading }) => `${level ?? '?'}/${count ?? '?'}/${reading ?? '?'}`,
      },
      ...PLAIN,
    }),
    keyedEntity('t_Trail', {
      key: 'id',
      attributes: {
        id: integer(),
        span: textForm('interval'),
        map: textForm('xml'),
        stops: arrayOf(string(20)),
        heights: arrayOf(decimal(8, 2)),
        hosts: arrayOf(textForm('inet')),
      },
      ...PLAIN,
    }),
    keyedEntity('t_Article', {
      key: 'id',
      attributes: {
        id: integer(),
        code: string(20).searchable({ weight: 'B', prefix: true }),
        title: string(100).searchable({ weight: 'A', language: 'german', prefix: true, typos: true }),
        body: string().searchable({ language: 'german' }),
        note: string(100),
        comments: toMany('t_Comment', 'article'),
      },
      ...PLAIN,
    }),
    keyedEntity('t_Comment', {
      key: 'id',
      attributes: { id: integer(), article: toOne('t_Article'), words: string(100).searchable() },
      ...PLAIN,
    }),
    dto('t_Quote', { attributes: { total: decimal(19, 2) } }),
  ],
  fetchPlans: [
    {
      name: 'with-owner',
      entity: 't_Pet',
      properties: [
        { name: 'name', plan: undefined },
        {
          name: 'owner',
          plan: { name: undefined, entity: 't_Owner', properties: [{ name: 'salary', plan: undefined }] },
        },
      ],
    },
  ],
});

/** With dynamic attributes, as the data service has it. */
export const model = withDynamicAttributes(application, DYNAMIC_ATTRIBUTES);
