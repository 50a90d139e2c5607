import type { Model } from '@lintel/metadata';
import type { WriteDependencies } from '../write-dependencies.ts';

/** The model changes seldom, and a copy of all dependencies for each request is a lot of garbage. */
const BY_MODEL = new WeakMap<WriteDependencies, { readonly model: Model; readonly deps: WriteDependencies }>();

/** The dependencies of a write outside its transaction: with the current model, dynamic attributes included. */
export async function currentWriteDependencies(deps: WriteDependencies): Promise<WriteDependencies> {
  const model = await deps.read.modelWithDynamicAttributes();
  const known = BY_MODEL.get(deps);
  if (known?.model === model) return known.deps;
  const current = {
    ...deps,
    environment: { ...deps.environment, model },
    read: { ...deps.read, currentModel: () => model },
  };
  BY_MODEL.set(deps, { model, deps: current });
  return current;
}
