/** The part of the address of a form that names its instance. */
const FORM = /\/data\/([\w$]+)\/([^/?#\s]+)/;

/** The instance of the form with this address; undefined for a text that is no such address. */
export function addressedInstance(address: string): { readonly entityName: string; readonly id: string } | undefined {
  const [, entityName, id] = FORM.exec(address) ?? [];
  if (entityName === undefined || id === undefined) return undefined;
  try {
    return { entityName, id: decodeURIComponent(id) };
  } catch {
    return undefined; // A percent sign without digits: no form has this address.
  }
}
