import { ExactNumber } from '../json/exact-json.ts';
import type { NameRecipe } from '../plan/read-plan.ts';
import { plainScalar } from './plain-value.ts';

/** The instance name that the recipe computes from the result of the statement; null if there is no instance. */
export function instanceName(value: unknown, recipe: NameRecipe | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (recipe === undefined) return String(value);
  if (!Array.isArray(value)) throw new Error('The parts of an instance name are a list');
  switch (recipe.kind) {
    case 'parts':
      return recipe.recipes.map((part, at) => instanceName(value[at], part) ?? '').join('');
    case 'method': {
      const values = recipe.names.map((name, at) => [name, instanceName(value[at], recipe.recipes[at])]);
      return recipe.format(Object.fromEntries(values) as Readonly<Record<string, string | null>>);
    }
    case 'computed': {
      const values = recipe.values.map(({ name, format }, at) => [name, plainScalar(value[at], format)]);
      const computed = recipe.compute(Object.fromEntries(values));
      return computed === null || computed === undefined ? null : String(computed);
    }
    case 'by-entity': {
      const [at, name]: readonly unknown[] = value;
      return instanceName(name, recipe.recipes[at instanceof ExactNumber ? Number(at.text) : 0]);
    }
    default:
      return recipe satisfies never;
  }
}
