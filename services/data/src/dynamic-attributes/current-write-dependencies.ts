import type { WriteDependencies } from '../entities/write/write-dependencies.ts';

/** What a write works with outside its transaction: the model of this moment, dynamic attributes included. */
export async function currentWriteDependencies(deps: WriteDependencies): Promise<WriteDependencies> {
  const model = await deps.read.modelWithDynamicAttributes();
  return {
    ...deps,
    environment: { ...deps.environment, model },
    read: { ...deps.read, currentModel: () => model },
  };
}
