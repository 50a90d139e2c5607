import type { DetailedEntityInfo } from '@lintel/client';
import type { Schema } from '@lintel/react';
import type { FormAttribute } from './form-attributes.ts';

/** A fetch plan as a literal. */
export interface FormPlan {
  readonly [name: string]: true | FormPlan;
}

/** Compositions that contain themselves end here; what is deeper is changed in the form of its own instance. */
const MAX_DEPTH = 5;

/**
 * The plan of a form: what it shows, with the children of compositions. Members of associations that another entity
 * owns are not read: there may be any number.
 */
export function formPlanOf(
  schema: Schema,
  fieldsOf: (entity: DetailedEntityInfo) => readonly FormAttribute[],
  entity: string,
  without?: string,
  depth = 0,
): FormPlan {
  const info = schema.get(entity);
  if (info === undefined) return {};
  const members = fieldsOf(info)
    .filter(({ attribute: { name } }) => name !== without && !name.startsWith('+'))
    .flatMap(({ attribute, widget }): [string, true | FormPlan][] => {
      const { name, type, inverse, owning } = attribute;
      switch (widget) {
        case 'password':
          return [];
        case 'references':
          return owning === true ? [[name, true]] : [];
        case 'lines':
        case 'part':
        case 'embedded': {
          if (depth >= MAX_DEPTH) return [];
          const nested = formPlanOf(schema, fieldsOf, type, inverse, depth + 1);
          return [[name, Object.keys(nested).length === 0 ? true : nested]];
        }
        default:
          return [[name, true]];
      }
    });
  return Object.fromEntries(members);
}
