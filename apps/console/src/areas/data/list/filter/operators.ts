import type { AttributeInfo } from '@lintel/client';
import { isToMany, type PathModel, targetOf } from '@lintel/react';
import { type ValueKind, valueKindOf } from '../../values/value-kind.ts';

const EVERY = ['=', '<>', 'in', 'notIn'];
const NULLS = ['isNull', 'notEmpty'];
const TEXT = ['contains', 'doesNotContain', 'startsWith', 'endsWith'];
const ORDER = ['>', '>=', '<', '<='];

const JSON_OPERATORS = [...EVERY.slice(0, 2), ...TEXT, ...ORDER, ...EVERY.slice(2), ...NULLS];

const OPERATORS: Readonly<Record<ValueKind, readonly string[]>> = {
  boolean: ['=', '<>', ...NULLS],
  date: [...EVERY.slice(0, 2), ...ORDER, ...EVERY.slice(2), ...NULLS],
  dateTime: [...ORDER, ...EVERY, ...NULLS],
  embedded: NULLS,
  enum: [...EVERY, ...NULLS],
  number: [...EVERY.slice(0, 2), ...ORDER, ...EVERY.slice(2), ...NULLS],
  offsetDateTime: [...ORDER, ...EVERY, ...NULLS],
  // No operator compares the bytes of files or large values.
  other: [...EVERY, ...NULLS],
  reference: [...EVERY, ...NULLS],
  text: [...TEXT, ...EVERY, ...NULLS],
  time: [...EVERY.slice(0, 2), ...ORDER, ...EVERY.slice(2), ...NULLS],
};

/** The operators that the API has for an attribute, the usual one first (contract/filters.md#types). */
export const operatorsOf = (attribute: AttributeInfo): readonly string[] =>
  attribute.attributeType === 'DATATYPE' && attribute.type === 'json'
    ? JSON_OPERATORS
    : OPERATORS[valueKindOf(attribute)];

const TREE = ['under', 'above'];

/** Operators of an attribute, and of instances in a tree (contract/filters.md#trees). */
export const operatorsIn = (model: PathModel, attribute: AttributeInfo): readonly string[] =>
  !isToMany(attribute) && targetOf(model, attribute)?.properties.some(({ tree }) => tree === true) === true
    ? [...operatorsOf(attribute), ...TREE]
    : operatorsOf(attribute);

/** Whether the value of a condition is a list. */
export const hasList = (operator: string): boolean => operator === 'in' || operator === 'notIn';

/** The operator of a test for null whose value negates it. */
export const negated = (operator: string): string => NULLS.find((each) => each !== operator) ?? operator;

/** Whether a condition has no value. */
export const hasNoValue = (operator: string): boolean => NULLS.includes(operator);
