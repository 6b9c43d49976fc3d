import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { NetworkError } from '../api/errors.ts';
import { renderPart } from '../testing/render.tsx';
import { usePopups } from '../ui/overlay/popups.ts';
import { useAction } from './action.ts';

interface ButtonProps {
  act: () => Promise<string>;
  options?: Parameters<typeof useAction<string>>[1];
}

function ActionButton({ act, options }: ButtonProps) {
  const { mutate } = useAction(act, options);
  return (
    <button type="button" onClick={() => mutate()}>
      Act
    </button>
  );
}

const press = () => fireEvent.click(screen.getByRole('button', { name: 'Act' }));
const messages = () => usePopups.getState().waiting.map((popup) => popup.kind === 'message' && popup.message);
const noAnswer = async () => {
  throw new NetworkError('no answer');
};

it('an action reports its success with what the server answered', async () => {
  const onSuccess = vi.fn();
  renderPart(<ActionButton act={async () => 'saved'} options={{ onSuccess }} />);
  press();
  await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce());
  expect(onSuccess.mock.calls[0]?.[0]).toBe('saved');
  expect(messages()).toEqual([]);
});

it('an action shows its error', async () => {
  renderPart(<ActionButton act={noAnswer} />);
  press();
  await waitFor(() => expect(messages()).toEqual(['Перевірте інтернет і спробуйте ще раз.']));
});

it('an error that the page shows itself is not shown twice', async () => {
  const onError = vi.fn(() => true);
  renderPart(<ActionButton act={noAnswer} options={{ onError }} />);
  press();
  await waitFor(() => expect(onError).toHaveBeenCalledOnce());
  expect(messages()).toEqual([]);
});
