export { CallsPage } from './calls-page.tsx';
export { MethodPage } from './method-page.tsx';
export { QueryPage } from './query-page.tsx';
export { CallRunsPage } from './runs-page.tsx';
