/**
 * The file that was copied, or the copied cells of a spreadsheet as one. Spreadsheets put a picture of the cells beside
 * their texts, and file managers the name of a file.
 */
export function pastedTable(data: Pick<DataTransfer, 'files' | 'getData'> | null): File | undefined {
  const [copied] = data?.files ?? [];
  const cells = data?.getData('text/plain') ?? '';
  const isPicture = copied?.type.startsWith('image/') === true;
  return cells !== '' && (copied === undefined || isPicture) ? new File([cells], 'pasted.tsv') : copied;
}
