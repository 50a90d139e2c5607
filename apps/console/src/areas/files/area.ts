import { IconFiles } from '@tabler/icons-react';
import { defineArea } from '../../shell/area.ts';
import { fileAttributesOf } from './file-attributes.ts';

// One chunk for all pages: each further one makes the first load longer.
const pages = () => import('./pages.ts');

/** Files that instances refer to: preview, size, and who refers to them. */
export const filesArea = defineArea({
  name: 'files',
  icon: IconFiles,
  isShown: (model) => fileAttributesOf(model).length > 0 || model.rights.has('files.manage'),
  pages: [
    { path: '/', load: async () => (await pages()).FilesPage },
    { path: 'file', load: async () => (await pages()).FilePage },
    { path: 'unreferenced', load: async () => (await pages()).UnreferencedPage },
  ],
});
