export { ApiPage } from './api-page.tsx';
export { OperationPage, RequestPage } from './operation-page.tsx';
