import type { Model } from '@lintel/metadata';
import type { WriteDependencies } from './write-dependencies.ts';

/** The model changes seldom, and a copy of all dependencies for each request is a lot of garbage. */
const BY_MODEL = new WeakMap<WriteDependencies, { readonly model: Model; readonly deps: WriteDependencies }>();

/** What a write works with outside its transaction: the model of this moment, dynamic attributes included. */
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
