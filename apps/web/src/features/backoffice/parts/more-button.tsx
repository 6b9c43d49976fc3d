import type { ReactNode } from 'react';
import { Button } from '../../../ui/form/button.tsx';

interface MoreButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  children: ReactNode;
}

/** Below a list: loads its next page while there is one. */
export function MoreButton({ list, children }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button className="self-center" busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
      {children}
    </Button>
  );
}
