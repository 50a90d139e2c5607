import type { Condition, ConditionGroup } from '@lintel/client';
import { useQuery } from '@tanstack/react-query';
import type { Model } from '../../../model/model.ts';
import { useModel } from '../../../model/model-provider.tsx';
import { resolvePath } from './resolve-path.ts';

/** Further words would only repeat what the first ones have found. */
const MAX_WORDS = 5;

/** The texts of the instance name of an entity that the user may see: a search by words is for these. */
export function useSearchNames(entity: string, isEnabled = true): readonly string[] | undefined {
  const model = useModel();
  const { data } = useQuery({
    queryKey: ['search-names', entity],
    queryFn: () => readSearchNames(model, entity),
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

async function readSearchNames(model: Model, entity: string): Promise<readonly string[]> {
  const plan = await model.client.metadata.fetchPlan(entity, '_instance_name');
  return plan.properties
    .filter((each) => typeof each === 'string')
    .filter((name) => {
      const found = resolvePath(model, entity, name);
      return (
        found?.isStored === true && found.attribute.attributeType === 'DATATYPE' && found.attribute.type === 'string'
      );
    });
}

/** Conditions that each word is in one of the attributes. */
export function conditionsOfWords(words: string, names: readonly string[]): readonly (Condition | ConditionGroup)[] {
  if (names.length === 0) return [];
  const all = words.split(/\s+/).filter((word) => word !== '');
  return all.slice(0, MAX_WORDS).map((word) => ({
    group: 'OR',
    conditions: names.map((property) => ({ property, operator: 'contains', value: word })),
  }));
}
