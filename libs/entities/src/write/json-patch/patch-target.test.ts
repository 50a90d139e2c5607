import {
  buildModel,
  compositionOfMany,
  compositionOfOne,
  type DynamicAttribute,
  elements,
  embeddable,
  embedded,
  entityOf,
  integer,
  json,
  keyedEntity,
  manyToMany,
  standardEntity,
  string,
  toOne,
  withDynamicAttributes,
} from '@lintel/metadata';
import { visibilityOf } from '@lintel/query';
import { isModifiable, isReachable, isShown, resolveTarget, type Target, TargetError } from './patch-target.ts';

const GRADE: DynamicAttribute = {
  ...{ id: '00000000-0000-4000-9000-000000000001', code: 'grade', entity: 't_Order', category: 'Test', name: 'Grade' },
  ...{ description: undefined, type: 'STRING', collection: false, required: false, target: undefined, values: [] },
  ...{ localizedNames: {}, localizedDescriptions: {} },
};
const model = withDynamicAttributes(
  buildModel({
    entities: [
      embeddable('t_Address', { attributes: { city: string(10), code: string(10) } }),
      keyedEntity('t_Tag', { key: 'code', attributes: { code: string(10), title: string(10) } }),
      standardEntity('t_Photo', { attributes: { title: string(10) } }),
      standardEntity('t_Part', { attributes: { line: toOne('t_Line'), name: string(10) } }),
      standardEntity('t_Line', {
        attributes: { order: toOne('t_Order'), count: integer(), parts: compositionOfMany('t_Part', 'line') },
      }),
      standardEntity('t_Order', {
        attributes: {
          number: string(10),
          pin: string(10).secret(),
          data: json(),
          labels: elements(),
          address: embedded('t_Address'),
          tag: toOne('t_Tag'),
          next: toOne('t_Order'),
          photo: compositionOfOne('t_Photo'),
          lines: compositionOfMany('t_Line', 'order'),
          tags: manyToMany('t_Tag'),
        },
      }),
    ],
  }),
  [GRADE],
);

const ID = '00000000-0000-4000-8000-000000000001';
const ORDER = entityOf(model, 't_Order');

/** A caller who may neither view nor modify some attributes, and modify no more than others. */
const caller = (hidden: readonly string[] = [], fixed: readonly string[] = hidden) => {
  const mayView = (entity: string, attribute: string): boolean => !hidden.includes(`${entity}.${attribute}`);
  return {
    model,
    visibility: visibilityOf(model, {
      fingerprint: 'x',
      entity: (name) => ({
        canRead: !hidden.includes(name),
        mayView: (attribute) => mayView(name, attribute),
        rows: undefined,
        predicates: [],
      }),
    }),
    access: {
      mayView,
      mayModify: (entity: string, attribute: string) => !fixed.includes(`${entity}.${attribute}`),
    },
  };
};
const targetOf = (path: string, context = caller()): Target => resolveTarget(context, ORDER, path.split('/'));

/** Steps, entity and kind of the attribute, and the rest of the path. */
const shapeOf = ({ steps, entity, attribute, name, rest }: Target) => ({
  at: [...steps.map((step) => `${step.kind} ${step.name} of ${step.entity.name}`), `${entity.name}.${name}`].join(', '),
  kind: attribute.kind,
  rest,
});

// Asserts contract/writing.md#json-patch.
test.each([
  ['number', 't_Order.number', 'datatype', { kind: 'whole' }],
  ['id', 't_Order.id', 'fixed', { kind: 'whole' }],
  ['_entityName', 't_Order._entityName', 'fixed', { kind: 'whole' }],
  ['+grade', 't_Order.+grade', 'dynamic', { kind: 'whole' }],
  ['data', 't_Order.data', 'datatype', { kind: 'whole' }],
  ['data/a/0', 't_Order.data', 'datatype', { kind: 'inside', tokens: ['a', '0'] }],
  ['labels/0', 't_Order.labels', 'elements', { kind: 'inside', tokens: ['0'] }],
  ['address', 't_Order.address', 'embedded', { kind: 'whole' }],
  ['address/city', 'object address of t_Address, t_Address.city', 'datatype', { kind: 'whole' }],
  ['tag', 't_Order.tag', 'reference', { kind: 'whole' }],
  ['tag/id', 't_Order.tag', 'reference', { kind: 'id' }],
  ['tag/code', 't_Order.tag', 'reference', { kind: 'id' }],
  ['photo', 't_Order.photo', 'reference', { kind: 'whole' }],
  ['photo/title', 'object photo of t_Photo, t_Photo.title', 'datatype', { kind: 'whole' }],
  ['photo/id', 'object photo of t_Photo, t_Photo.id', 'fixed', { kind: 'whole' }],
  ['lines', 't_Order.lines', 'reference', { kind: 'whole' }],
  ['lines/-', 't_Order.lines', 'reference', { kind: 'newMember' }],
  [`lines/${ID}`, 't_Order.lines', 'reference', { kind: 'member', key: [ID] }],
  [`lines/${ID}/count`, 'member lines of t_Line, t_Line.count', 'datatype', { kind: 'whole' }],
  [
    `lines/${ID}/parts/${ID}/name`,
    'member lines of t_Line, member parts of t_Part, t_Part.name',
    'datatype',
    { kind: 'whole' },
  ],
  ['tags/-', 't_Order.tags', 'reference', { kind: 'newMember' }],
  ['tags/rare', 't_Order.tags', 'reference', { kind: 'member', key: ['rare'] }],
])('the path /%s addresses %s', (path, at, kind, rest) => {
  expect(shapeOf(targetOf(path))).toEqual({ at, kind, rest });
});

// Asserts contract/writing.md#json-patch.
test.each([
  ['', "t_Order has no attribute ''"],
  ['colour', "t_Order has no attribute 'colour'"],
  ['+colour', "t_Order has no attribute '+colour'"],
  ['number/0', "'number' is a single value"],
  ['id/0', "'id' is a single value"],
  ['+grade/0', "'+grade' is a single value"],
  ['labels/0/a', "'labels' is a single value"],
  ['address/street', "t_Address has no attribute 'street'"],
  ['address/id', "t_Address has no attribute 'id'"],
  ['address/_entityName', "t_Address has no attribute '_entityName'"],
  ['next/number', "'next' refers to another instance, of which the patch can address only the id"],
  ['next/id/0', "'next' refers to another instance, of which the patch can address only the id"],
  ['next/+grade', "'next' refers to another instance, of which the patch can address only the id"],
  ['photo/colour', "t_Photo has no attribute 'colour'"],
  ['lines/0', "Members of 'lines' are addressed by their ids, not by '0'"],
  ['lines/', "Members of 'lines' are addressed by their ids, not by ''"],
  ['lines/-/count', "Members of 'lines' are addressed by their ids, not by '-'"],
  [`lines/${ID}/+grade`, "t_Line has no attribute '+grade'"],
  ['tags/rare/title', "The members of 'tags' are other instances, whose attributes the patch cannot address"],
])('the path /%s is refused: %s', (path, message) => {
  expect(() => targetOf(path)).toThrow(new TargetError(message));
});

// Asserts contract/writing.md#json-patch.
test('an attribute is unknown to a caller who may neither view nor modify it', () => {
  const hidden = ['t_Order.number', 't_Line.count'];
  expect(() => targetOf('number', caller(hidden))).toThrow("t_Order has no attribute 'number'");
  expect(() => targetOf(`lines/${ID}/count`, caller(hidden))).toThrow("t_Line has no attribute 'count'");
  expect(targetOf('number', caller(hidden, [])).name).toBe('number');
  expect(targetOf('number', caller([], hidden)).name).toBe('number');
  expect(targetOf('id', caller(['t_Order.id'])).attribute.kind).toBe('fixed');
});

// Asserts contract/writing.md#json-patch.
test.each([
  ['number', [], true],
  ['id', ['t_Order.id'], true],
  ['+grade', ['t_Order.+grade'], true],
  ['pin', [], false],
  ['number', ['t_Order.number'], false],
  ['tag', ['t_Tag'], false],
  ['address/city', ['t_Address.city'], false],
  ['address/city', ['t_Order.address'], false],
  ['address/city', ['t_Address'], false],
  [`lines/${ID}/count`, ['t_Order.lines'], false],
  [`lines/${ID}/parts/${ID}/name`, ['t_Line.parts'], false],
  [`lines/${ID}/parts/${ID}/id`, ['t_Line.parts'], false],
  [`lines/${ID}/parts/${ID}/name`, ['t_Order.parts', 't_Line.name', 't_Part.parts'], true],
])('a response shows /%s if %j is hidden: %s', (path, hidden, isVisible) => {
  const context = caller(hidden, []);
  expect(isShown(context, ORDER, targetOf(path, context))).toBe(isVisible);
});

// Asserts contract/writing.md#json-patch.
test.each([
  ['number', [], true],
  ['number', ['t_Order.number'], false],
  ['id', [], false],
  ['_entityName', [], false],
  ['photo/id', [], false],
  ['+grade', ['t_Order.+grade'], true],
  ['address/city', ['t_Address.city'], false],
  ['address/city', ['t_Order.address'], false],
  [`lines/${ID}/parts/${ID}/name`, ['t_Order.lines'], false],
  [`lines/${ID}/parts/${ID}/name`, ['t_Line.parts'], false],
  [`lines/${ID}/parts/${ID}/name`, ['t_Order.parts', 't_Line.name', 't_Part.parts'], true],
])('the caller may change /%s if %j cannot be modified: %s', (path, fixed, isPermitted) => {
  const context = caller([], fixed);
  expect(isModifiable(context, ORDER, targetOf(path, context))).toBe(isPermitted);
});

test('an object on the way that no response shows is not reachable, its attribute does not count', () => {
  const reachable = (path: string, ...hidden: readonly string[]): boolean => {
    const context = caller(hidden, []);
    return isReachable(context, ORDER, targetOf(path, context));
  };
  expect(reachable('number', 't_Order.number')).toBe(true);
  expect(reachable('photo/title', 't_Photo.title')).toBe(true);
  expect(reachable('photo/title', 't_Order.photo')).toBe(false);
  expect(reachable('photo/title', 't_Photo')).toBe(false);
  expect(reachable(`lines/${ID}/parts/${ID}/name`, 't_Line.parts')).toBe(false);
});
