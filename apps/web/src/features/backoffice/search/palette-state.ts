import { create } from 'zustand';

/** Any staff page can open the search; the frame shows it. */
export const usePalette = create<{ isOpen: boolean }>(() => ({ isOpen: false }));

export const openPalette = () => usePalette.setState({ isOpen: true });
export const closePalette = () => usePalette.setState({ isOpen: false });
