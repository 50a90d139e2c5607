export { FilePage } from './file-page.tsx';
export { FilesPage } from './files-page.tsx';
