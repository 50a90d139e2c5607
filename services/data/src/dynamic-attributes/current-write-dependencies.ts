import type { WriteDependencies } from '../entities/write/write-dependencies.ts';

/** What one write works with: the model of this moment, dynamic attributes included, for all of its stages. */
export async function currentWriteDependencies(deps: WriteDependencies): Promise<WriteDependencies> {
  const model = await deps.read.modelWithDynamicAttributes();
  return {
    ...deps,
    environment: { ...deps.environment, model },
    read: { ...deps.read, currentModel: () => model },
  };
}
