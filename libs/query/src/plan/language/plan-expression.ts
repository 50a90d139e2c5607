import { isToMany } from '@lintel/metadata';
import { parameterTypeOf } from '../../literals/literal-type.ts';
import type { BoundExpression, ScalarType, ValueType } from '../../resolve/language/bound-expression.ts';
import { datatypeOf } from '../../resolve/language/value-types.ts';
import { argumentSource, type Parameter, type ParameterSource } from '../parameter.ts';
import type { Column } from '../read-plan.ts';
import { attributeColumns, instanceRow, reachMembers, reachValues } from './plan-attribute.ts';
import { call, cast, planArithmetic, planFunction } from './plan-functions.ts';
import type { PlanLevel } from './plan-level.ts';
import type { SqlExpression } from './sql-expression.ts';

const ofColumn = (column: Column): SqlExpression => ({ kind: 'column', column });

/** Plans an expression that has a value of its own: no instance. */
export function planExpression(expression: BoundExpression, level: PlanLevel): SqlExpression {
  const [only, ...rest] = planValues(expression, level);
  if (only === undefined || rest.length > 0) throw new Error('The expression has not one value');
  return only;
}

/** Plans an expression: one value, or the parts of an instance's key. */
export function planValues(expression: BoundExpression, level: PlanLevel): readonly SqlExpression[] {
  const grouped = level.groupedAs(expression);
  if (grouped !== undefined) return [grouped];
  switch (expression.kind) {
    case 'attribute':
      return attributeColumns(expression, level).map(ofColumn);
    case 'variable': {
      const columns = level.sourceOf(expression.variable).keyColumns();
      level.note(expression.variable, columns);
      return columns.map(ofColumn);
    }
    case 'subquery':
      return [{ kind: 'select', select: level.planSelect(expression.select) }];
    default:
      return [planScalar(expression, level)];
  }
}

type Scalar = Exclude<BoundExpression, { kind: 'attribute' | 'variable' | 'subquery' }>;

function planScalar(expression: Scalar, level: PlanLevel): SqlExpression {
  const plan = (one: BoundExpression): SqlExpression => planExpression(one, level);
  switch (expression.kind) {
    case 'constant':
      return parameter({ kind: 'constant', value: expression.value }, expression.type);
    case 'null':
      return { kind: 'null', sqlType: sqlTypeOf(expression.type) };
    case 'argument':
      return parameter(
        argumentSource(expression.index, expression.isOpen, scalarType(expression.type).type),
        expression.type,
      );
    case 'session':
      return parameter(
        { kind: 'session', name: expression.name, type: scalarType(expression.type).type },
        expression.type,
      );
    case 'arithmetic':
      return planArithmetic(expression, plan(expression.left), plan(expression.right));
    case 'negative':
      return { kind: 'negative', operand: cast(plan(expression.operand), wideNumber(expression.type)) };
    case 'call':
      return planFunction(expression.name, expression.args, expression.args.map(plan));
    case 'trim':
      return {
        kind: 'trim',
        side: expression.side,
        characters: expression.characters === undefined ? undefined : plan(expression.characters),
        text: plan(expression.text),
      };
    case 'aggregate':
      return planAggregate(expression, level);
    case 'case':
      return {
        kind: 'case',
        branches: expression.branches.map(({ when, value }) => ({
          when: level.planCondition(when),
          value: plan(value),
        })),
        otherwise: expression.otherwise === undefined ? undefined : plan(expression.otherwise),
      };
    case 'type-of':
      return planTypeOf(expression, level);
    case 'entity-name':
      return { kind: 'constant', text: expression.entity.name };
    case 'size':
      return planSize(expression, level);
    case 'now':
      return { kind: 'now', of: expression.of };
    case 'moment':
      return planMoment(expression, level);
    case 'input':
      return parameter(
        { kind: 'input', index: expression.index, type: scalarType(expression.type).type },
        expression.type,
      );
    case 'percentile': {
      const at = inputOf(expression.at, 'double', 'double precision');
      return { kind: 'percentile', at, argument: level.insideAggregate(() => plan(expression.argument)) };
    }
    case 'bucket':
      return planBucket(expression, level);
    default:
      return expression satisfies never;
  }
}

function scalarType(type: ValueType): ScalarType {
  if (type.kind !== 'scalar') throw new Error('An instance is no value');
  return type;
}

/** The type of the database that has the values of the type. */
const sqlTypeOf = (type: ValueType): string => parameterTypeOf(scalarType(type).type);

const parameter = (source: ParameterSource, type: ValueType): SqlExpression => ({
  kind: 'parameter',
  parameter: { source, sqlType: sqlTypeOf(type) },
});

/** A type in which a number keeps its value and its negative one fits. */
const wideNumber = (type: ValueType): string => {
  const datatype = datatypeOf(type);
  return datatype === 'double' || datatype === 'float' ? 'double precision' : 'numeric';
};

type Of<K extends BoundExpression['kind']> = Extract<BoundExpression, { kind: K }>;

function planAggregate({ name, distinct, argument, type }: Of<'aggregate'>, level: PlanLevel): SqlExpression {
  const args = argument === undefined ? [] : level.insideAggregate(() => planValues(argument, level));
  const isExactAverage = name === 'avg' && datatypeOf(type) === 'decimal';
  const total: SqlExpression = {
    kind: 'aggregate',
    name,
    distinct,
    args: isExactAverage ? args.map((one) => cast(one, 'numeric')) : args,
  };
  // The database pads an average with zeros.
  return isExactAverage ? call('trim_scale', total) : total;
}

function planTypeOf({ variable, path }: Of<'type-of'>, level: PlanLevel): SqlExpression {
  const row = instanceRow(variable, path, level);
  const discriminator = row.discriminator();
  if (discriminator === undefined) return { kind: 'constant', text: row.entity.name };
  level.note(variable, [discriminator]);
  return ofColumn(discriminator);
}

function planSize({ variable, path }: Of<'size'>, level: PlanLevel): SqlExpression {
  const { leaf } = path;
  const rows =
    leaf.kind === 'elements'
      ? reachValues(variable, path, leaf.attribute, level)
      : leaf.kind === 'reference' && isToMany(leaf.attribute)
        ? reachMembers(variable, path, leaf.attribute, level)
        : undefined;
  if (rows === undefined) throw new Error(`${path.text} is no collection`);
  const count: SqlExpression = { kind: 'aggregate', name: 'count', distinct: false, args: [] };
  return {
    kind: 'select',
    select: {
      distinct: false,
      columns: [{ expression: count, name: 'size' }],
      from: rows.from,
      where: rows.where,
      groupBy: [],
      having: [],
    },
  };
}

const UTC: SqlExpression = { kind: 'constant', text: 'UTC' };
const INSTANT: SqlExpression = { kind: 'now', of: 'instant' };

/**
 * The beginning of a unit of time, some units later. Local date-times are those of UTC; in the user's zone
 * units begin by its clock, and the result is the local date-time of UTC at that moment.
 */
function planMoment({ base, offset, unit, inUserZone, type }: Of<'moment'>, level: PlanLevel): SqlExpression {
  const zone: SqlExpression = inUserZone
    ? { kind: 'parameter', parameter: { source: { kind: 'time-zone' }, sqlType: 'text' } }
    : UTC;
  const datatype = datatypeOf(type);
  const isDate = datatype === 'localDate' || datatype === 'date';
  const isWhole = isDate && base !== undefined;
  // A day is a day in every zone.
  const local = isWhole ? cast(planExpression(base, level), 'timestamp') : localMoment(base, zone, level);
  const begun: SqlExpression = { kind: 'truncate', unit, moment: local };
  const units = parameter(
    { kind: 'constant', value: String(offset) },
    { kind: 'scalar', type: { kind: 'datatype', datatype: 'int' } },
  );
  const later: SqlExpression = offset === 0 ? begun : { kind: 'later', unit, moment: begun, units };
  if (isDate) return later;
  const instant: SqlExpression = { kind: 'zoned', moment: later, zone };
  return datatype === 'offsetDateTime' ? instant : { kind: 'zoned', moment: instant, zone: UTC };
}

/** The moment by the clock of the zone. */
function localMoment(base: BoundExpression | undefined, zone: SqlExpression, level: PlanLevel): SqlExpression {
  if (base === undefined) return { kind: 'zoned', moment: INSTANT, zone };
  const value = planExpression(base, level);
  const datatype = datatypeOf(base.type);
  // A day is a day in every zone.
  if (datatype === 'localDate' || datatype === 'date') return cast(value, 'timestamp');
  const instant: SqlExpression =
    datatype === 'offsetDateTime' ? value : { kind: 'zoned', moment: cast(value, 'timestamp'), zone: UTC };
  return { kind: 'zoned', moment: instant, zone };
}

const inputOf = (index: number, datatype: 'double' | 'string', sqlType: string): Parameter => ({
  source: { kind: 'input', index, type: { kind: 'datatype', datatype } },
  sqlType,
});

/** The begin of a unit by the clock of the zone: a date, or for units of a day the moment. */
function planBucket({ base, unit, zone: index, type }: Of<'bucket'>, level: PlanLevel): SqlExpression {
  const source: Parameter =
    index === undefined ? { source: { kind: 'time-zone' }, sqlType: 'text' } : inputOf(index, 'string', 'text');
  const zone: SqlExpression = { kind: 'parameter', parameter: source };
  const begun: SqlExpression = { kind: 'truncate', unit, moment: localMoment(base, zone, level) };
  if (datatypeOf(type) === 'localDate') return cast(begun, 'date');
  const instant: SqlExpression = { kind: 'zoned', moment: begun, zone };
  return datatypeOf(type) === 'offsetDateTime' ? instant : { kind: 'zoned', moment: instant, zone: UTC };
}
