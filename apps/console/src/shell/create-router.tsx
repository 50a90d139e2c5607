import { Stack, Text, Title } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { useText } from '../context.ts';
import { ErrorAlert } from '../errors/pending.tsx';
import type { Area } from './area.ts';
import { AreaFrame } from './area-frame.tsx';
import { Shell } from './shell.tsx';

/**
 * The routes of the areas, each loaded when it is opened first.
 *
 * @param basePath path of the console on its host
 */
export function createConsoleRouter(basePath: string, areas: readonly Area[]) {
  const root = createRootRoute({ component: () => <Shell areas={areas} />, notFoundComponent: NotFound });
  const index = createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad() {
      const [first] = areas;
      if (first !== undefined) throw redirect({ to: `/${first.name}` as string, replace: true });
    },
    component: NotFound,
  });
  const children = areas.map((area) => {
    const parent = createRoute({
      getParentRoute: () => root,
      path: area.name,
      component: () => <AreaFrame area={area.name} />,
    });
    return parent.addChildren(
      area.pages.map(({ path, load, search }) =>
        createRoute({
          getParentRoute: () => parent,
          path,
          component: lazyRouteComponent(async () => {
            const [component] = await Promise.all([load(), area.hasOwnStyles ?? import('../theme/further-styles.ts')]);
            return { default: component };
          }),
          ...(search !== undefined && { validateSearch: search }),
        }),
      ),
    );
  });
  return createRouter({
    routeTree: root.addChildren([index, ...children]),
    basepath: basePath,
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    scrollRestoration: true,
    defaultErrorComponent: ({ error, reset }) => <ErrorAlert error={error} onRetry={reset} />,
    defaultNotFoundComponent: NotFound,
  });
}

/** A path without a page. */
function NotFound() {
  const text = useText();
  return (
    <Stack>
      <Title order={1}>{text('notFound.title')}</Title>
      <Text>{text('notFound.text')}</Text>
    </Stack>
  );
}
