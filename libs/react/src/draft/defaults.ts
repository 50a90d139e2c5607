import type { DetailedEntityInfo } from '@lintel/client';
import type { Values } from './values.ts';

/** The values with which a new instance begins. */
export function defaultsOf(entity: DetailedEntityInfo | undefined): Values {
  const given = (entity?.properties ?? [])
    .filter(({ defaultValue, readOnly }) => defaultValue !== undefined && !readOnly)
    .map(({ name, defaultValue }): [string, unknown] => [name, defaultValue]);
  // A switch shows no third state.
  const booleans = (entity?.properties ?? [])
    .filter(
      ({ type, mandatory, cardinality, readOnly }) =>
        type === 'boolean' && mandatory && cardinality === 'NONE' && !readOnly,
    )
    .map(({ name }): [string, unknown] => [name, false]);
  return Object.fromEntries([...booleans, ...given]);
}
