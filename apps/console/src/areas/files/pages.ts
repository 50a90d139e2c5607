export { FilePage } from './file-page.tsx';
export { FilesPage } from './files-page.tsx';
export { UnreferencedPage } from './unreferenced-page.tsx';
