import { fingerprint } from '../builders/fingerprint.ts';
import { type DynamicAttribute, dynamicDatatypeOf } from '../entities/dynamic-attribute.ts';
import type { Model } from '../model.ts';
import { dynamicOwnerProblem, dynamicTargetProblem } from '../storage/dynamic-values.ts';

/**
 * The application's model with the dynamic attributes that are defined now. Definitions that do not fit it,
 * because the application has lost an entity since, are left out: their values stay
 * stored, and are visible again if the entity returns.
 *
 * @param model the model that the application defines
 */
export function withDynamicAttributes(model: Model, attributes: readonly DynamicAttribute[]): Model {
  const fitting = attributes.filter(
    ({ entity, type, target }) =>
      dynamicOwnerProblem(model, entity) === undefined &&
      (dynamicDatatypeOf(type) !== undefined || dynamicTargetProblem(model, target) === undefined),
  );
  if (fitting.length === 0) return model;
  return Object.freeze({
    ...model,
    version: `${model.version}-${fingerprint(fitting)}`,
    dynamicAttributes: Map.groupBy(fitting, ({ entity }) => entity),
  });
}
