export { createHttpFileAccess, type FileAccess } from './access/file-access.ts';
export { createFilesService, type FilesService } from './app.ts';
export { settings } from './config.ts';
export { openFileStorages } from './storage/settings/open-file-storages.ts';
