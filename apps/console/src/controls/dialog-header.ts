/** For `attributes` of a dialog: its header is no banner of the page. */
export const DIALOG_HEADER = { header: { role: 'none' } };
