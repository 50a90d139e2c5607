import { type EntityChange, type EntityListener, entityListener, type ListenerContext } from '@lintel/application';
import { type ValidationItem, validationError } from '@lintel/errors';
import { dynamicOwnerProblem, dynamicTargetProblem, type Model } from '@lintel/metadata';
import { itemOf } from '../../write/listeners/refusal-by.ts';

const CATEGORY = 'dynat_Category';
const ATTRIBUTE = 'dynat_CategoryAttribute';

/** Entities whose instances define dynamic attributes. */
export const DEFINITION_ENTITIES: ReadonlySet<string> = new Set([CATEGORY, ATTRIBUTE]);

/** Stored values have the old type, so the attributes that determine their storage must not change. */
const changed = (
  { before, after }: EntityChange,
  names: readonly string[],
  text: ListenerContext['message'],
): readonly ValidationItem[] =>
  names.flatMap((name) => {
    const [old, now] = [before?.[name] ?? null, after?.[name] ?? null];
    return before === undefined || JSON.stringify(old) === JSON.stringify(now)
      ? []
      : [itemOf({ rule: 'Unchangeable' }, text, name, now)];
  });

/**
 * @throws PlatformError DATA_VALIDATION_FAILED if there are items
 */
function refuseWith(items: readonly ValidationItem[]): void {
  if (items.length > 0) throw validationError(items);
}

/**
 * The rules of definitions that need the model: the entities they name must exist and have keys under which values can
 * be stored.
 *
 * @param onChange called when a change of a definition is committed
 */
export const definitionListeners = (model: Model, onChange: () => void): readonly EntityListener[] => [
  entityListener({
    entity: CATEGORY,
    beforeSave: async (change, { message }) => {
      const entity = change.after?.['entityType'];
      const problem = typeof entity === 'string' ? dynamicOwnerProblem(model, entity) : undefined;
      refuseWith([
        ...(problem === undefined ? [] : [itemOf(problem, message, 'entityType', entity)]),
        ...changed(change, ['entityType'], message),
      ]);
    },
    afterCommit: async () => onChange(),
  }),
  entityListener({
    entity: ATTRIBUTE,
    beforeSave: async (change, { message }) => {
      const { dataType, entityClass } = change.after ?? {};
      const isReference = dataType === 'ENTITY' && typeof entityClass === 'string';
      const problem = isReference ? dynamicTargetProblem(model, entityClass) : undefined;
      refuseWith([
        ...(problem === undefined ? [] : [itemOf(problem, message, 'entityClass', entityClass)]),
        ...changed(change, ['category', 'dataType', 'entityClass', 'isCollection'], message),
      ]);
    },
    // After the rows: the category may be new, too.
    afterSave: async ({ change, id, after }, { data }) => {
      const category = after?.['category'] as { readonly id?: unknown } | null | undefined;
      if (change === 'deleted' || category?.id === undefined) return;
      const owner = await data.load(CATEGORY, category.id, { fetchPlan: '_local' });
      const categoryEntityType = owner?.['entityType'];
      if (after?.['categoryEntityType'] !== categoryEntityType)
        await data.update(ATTRIBUTE, id, { categoryEntityType });
    },
    afterCommit: async () => onChange(),
  }),
];
