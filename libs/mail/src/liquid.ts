// A module of its own: bundles give the names of a CommonJS package to static imports only.
export { Liquid } from 'liquidjs';
