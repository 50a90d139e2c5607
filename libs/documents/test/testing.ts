/** Templates, data and readers of documents, for the tests of packages that make documents. */

export { wordDocument } from '../src/rendering/docx/writing/word-document.ts';
export { bandTree, rowsOf } from './band-tree.ts';
export { workbook } from './drawn-workbook.ts';
export { renderFile } from './xlsx-result.ts';
