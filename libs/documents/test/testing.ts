/** Templates, data and readers of documents, for the tests of packages that make documents. */
export { bandTree, rowsOf } from './band-tree.ts';
export { workbook } from './drawn-workbook.ts';
export { wordDocument } from './word-document.ts';
export { renderFile } from './xlsx-result.ts';
