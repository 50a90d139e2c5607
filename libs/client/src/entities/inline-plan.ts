/** A plan as the API has it. */
interface ApiPlan {
  readonly entity?: string;
  readonly extends?: string;
  readonly properties: readonly (string | { readonly name: string; readonly fetchPlan: string | ApiPlan })[];
}

/** A fetch plan for a request: its name, or the plan of an entity that a literal describes. Nested ones name no entity. */
export function writePlan(plan: unknown, entity?: string): string | ApiPlan | undefined {
  if (typeof plan !== 'object' || plan === null) return plan as string | undefined;
  const { $extends, ...attributes } = plan as Readonly<Record<string, unknown>>;
  const properties = Object.entries(attributes)
    .filter(([, nested]) => nested !== undefined)
    .map(([name, nested]) =>
      nested === true ? name : { name, fetchPlan: writePlan(nested) as NonNullable<ReturnType<typeof writePlan>> },
    );
  return {
    ...(entity !== undefined && { entity }),
    ...($extends !== undefined && { extends: $extends as string }),
    properties,
  };
}
