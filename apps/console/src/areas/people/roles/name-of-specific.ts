import { captionOf, type Model, type Text } from '../../../context.ts';

/**
 * The name of a specific permission: `rest.enabled` is "Use the application", `history.read.sales_Order` "History:
 * Order". A permission of the application has its own name.
 */
export function nameOfSpecific(name: string, text: Text, model: Pick<Model, 'captions'>): string {
  const general = generalOf(name, text);
  if (general === undefined) return name;
  const about = name.slice(general.length + 1);
  const words = text(`permission.${general}`);
  return about === '' ? words : `${words}: ${captionOf(model, about)}`;
}

/** A sentence about what a specific permission permits; undefined for a permission of the application. */
export function aboutSpecific(name: string, text: Text): string | undefined {
  const general = generalOf(name, text);
  return general === undefined ? undefined : text(`permission.${general}.about`);
}

/** The permission of the platform whose name it is, or begins with; a key without a text is the text. */
function generalOf(name: string, text: Text): string | undefined {
  const parts = name.split('.');
  for (let length = parts.length; length > 1; length--) {
    const general = parts.slice(0, length).join('.');
    if (text(`permission.${general}`) !== `permission.${general}`) return general;
  }
  return undefined;
}
