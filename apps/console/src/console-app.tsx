import type { Login } from '@lintel/react';
import { LoginProvider } from '@lintel/react';
import { Alert, Box, Button, DirectionProvider, Text, Title, useDirection } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { SeeAsFrame } from './areas/people/see-as/see-as-frame.tsx';
import { useLanguage } from './context.ts';
import { ErrorBoundary } from './errors/error-boundary.tsx';
import { ErrorAlert, Waiting } from './errors/pending.tsx';
import { directionOf, keepChoice } from './language/languages.ts';
import { TextProvider } from './language/text-provider.ts';
import { Notices } from './notices.tsx';
import { LoginEndWatch } from './session/login-end-watch.tsx';
import type { Settings } from './settings.ts';
import type { createConsoleRouter } from './shell/create-router.tsx';
import { firstLanguage, modelOf, shellTexts } from './shell/preload-page.ts';

interface ConsoleAppProps {
  readonly settings: Settings;
  readonly login: Login;
  readonly router: ReturnType<typeof createConsoleRouter>;
  /** Why the login page has refused the login. */
  readonly refused: string | undefined;
}

/** The console in the language of its user: its texts first, then the application. */
export function ConsoleApp(props: ConsoleAppProps) {
  const [locale, setLocale] = useState(firstLanguage);
  const change = useCallback((chosen: string) => {
    keepChoice(chosen);
    setLocale(chosen);
  }, []);
  const { data } = useQuery({
    ...shellTexts(locale),
    placeholderData: keepPreviousData,
    throwOnError: true,
  });
  if (data === undefined) return null;
  return (
    <DirectionProvider initialDirection={directionOf(data.locale)} detectDirection={false}>
      <TextProvider locale={data.locale} texts={data.texts} fallback={data.fallback} change={change}>
        <PageLanguage />
        <ErrorBoundary>
          {props.refused === undefined ? <Application {...props} /> : <Refused {...props} />}
        </ErrorBoundary>
      </TextProvider>
    </DirectionProvider>
  );
}

/** Says to the browser, and to screen readers, what the language of the page is. */
function PageLanguage() {
  const { locale, text } = useLanguage();
  const { setDirection } = useDirection();
  useEffect(() => {
    document.documentElement.lang = locale;
    document.title = text('console.title');
    setDirection(directionOf(locale));
  }, [locale, text, setDirection]);
  return null;
}

function Refused({ login, refused }: ConsoleAppProps) {
  const { text } = useLanguage();
  return (
    <Box maw={540} mx="auto" px="md" py="xl" component="main">
      <Alert color="red" title={text('login.refused')} role="alert">
        {refused}
      </Alert>
      <Button variant="filled" mt="md" onClick={() => void login.redirect()}>
        {text('action.logIn')}
      </Button>
    </Box>
  );
}

function Application({ settings, login, router }: ConsoleAppProps) {
  const { locale, text } = useLanguage();
  const model = useQuery({ ...modelOf(settings, login, locale), placeholderData: keepPreviousData });
  return (
    <LoginProvider value={login}>
      <LoginEndWatch />
      <Notices />
      {model.data !== undefined ? (
        <SeeAsFrame own={model.data}>
          <RouterProvider router={router} />
        </SeeAsFrame>
      ) : (
        <Box maw={720} mx="auto" px="md" py="xl" component="main">
          {model.error === null ? (
            <Waiting />
          ) : (
            <>
              <Title order={1} size="h3" mb="md">
                {text('console.title')}
              </Title>
              <ErrorAlert error={model.error} onRetry={() => void model.refetch()} />
              <Text my="md">{text('login.refusedUser')}</Text>
              <Button onClick={() => void login.logOut()}>{text('action.logOut')}</Button>
            </>
          )}
        </Box>
      )}
    </LoginProvider>
  );
}
