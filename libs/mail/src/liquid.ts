// A separate module: bundles give the names of a CommonJS package to static imports only.
export { Liquid } from 'liquidjs';
