import type { Entity } from '../entities/entity.ts';
import { constraintMessage } from './message-keys.ts';

/** The texts of violated checks, exclusions, indexes and unique attributes that an entity declares. */
export const constraintMessagesOf = ({
  name,
  checks = {},
  exclusions = {},
  indexes,
  attributes,
}: Entity): readonly string[] => [
  ...Object.entries({ ...checks, ...exclusions }).map(
    ([constraint, { message }]) => message ?? constraintMessage(name, constraint),
  ),
  ...indexes.flatMap(({ message }) => message ?? []),
  ...[...attributes.values()].flatMap(({ declaredBy, uniqueMessage }) =>
    declaredBy === name && uniqueMessage !== undefined ? [uniqueMessage] : [],
  ),
];
