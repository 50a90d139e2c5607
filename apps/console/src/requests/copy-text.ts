/** Copies a text; false if the browser does not permit it, as on pages without TLS. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    console.info('The clipboard is not accessible:', error);
    return false;
  }
}
