import type { ComponentProps } from 'react';

interface SubmitFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  readonly onSubmit: () => void;
}

/** A form whose submission the page handles. */
export const SubmitForm = ({ onSubmit, ...form }: SubmitFormProps) => (
  <form
    {...form}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  />
);
