import type { JsonSchema, Model } from '@lintel/metadata';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** The first violation of a schema in a value. */
export interface JsonViolation {
  /** The place in the value, appended to the path of the attribute: `.sizes[0]`; empty for the value itself. */
  readonly path: string;
  /** What is wrong, in English, as the library says it. */
  readonly problem: string;
}

/** One for all schemas: schemas come from the model, so that their number is bounded. Ends at the first violation. */
let validator: Ajv | undefined;

/** Created for the first schema: most applications have none. */
function createValidator(): Ajv {
  const ajv = new Ajv({ allErrors: false, strictTypes: false, strictRequired: false, strictTuples: false });
  formats.default(ajv);
  return ajv;
}

const COMPILED = new WeakMap<JsonSchema, ValidateFunction>();

function compiled(schema: JsonSchema): ValidateFunction {
  const known = COMPILED.get(schema);
  if (known !== undefined) return known;
  validator ??= createValidator();
  const validate = validator.compile(schema);
  COMPILED.set(schema, validate);
  return validate;
}

/**
 * Checks a plain JSON value by a JSON Schema (draft-07).
 *
 * @returns undefined if the value fits
 */
export function checkJson(schema: JsonSchema, value: unknown): JsonViolation | undefined {
  const validate = compiled(schema);
  if (validate(value) === true) return undefined;
  const error = validate.errors?.[0];
  return { path: error === undefined ? '' : pathOf(error), problem: error?.message ?? 'does not fit' };
}

/** The steps of a JSON pointer as those of paths in violations. */
const pathOf = ({ instancePath }: ErrorObject): string =>
  instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('');

/** @returns undefined for a valid JSON Schema (draft-07) */
export function jsonSchemaProblem(schema: JsonSchema): string | undefined {
  try {
    compiled(schema);
    return undefined;
  } catch (cause) {
    return (cause as Error).message;
  }
}

/** One sentence for each JSON attribute whose schema is not valid. */
export const invalidJsonSchemas = ({ entities }: Pick<Model, 'entities'>): readonly string[] =>
  [...entities.values()].flatMap((entity) =>
    [...entity.attributes.values()].flatMap((attribute) => {
      if (attribute.kind !== 'datatype' || attribute.jsonSchema === undefined || attribute.declaredBy !== entity.name)
        return [];
      const problem = jsonSchemaProblem(attribute.jsonSchema);
      return problem === undefined
        ? []
        : [`The JSON Schema of ${entity.name}.${attribute.name} is not valid: ${problem}`];
    }),
  );
