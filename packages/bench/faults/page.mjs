export const writePage = () => {}
