import { type EntityListener, entityListener } from '@lintel/application';

/** A part without a price costs what it costs today. */
export const PART_PRICES: EntityListener = entityListener({
  entity: 'garage_JobPart',
  async beforeSave({ change, after }, { data }) {
    if (change !== 'created' || after === undefined || after['price'] != null) return undefined;
    const { id } = after['part'] as { readonly id: unknown };
    const part = await data.load('garage_Part', id);
    return part === undefined ? undefined : { price: part['price'] };
  },
});
