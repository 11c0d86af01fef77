// The version of the program: the one in package.json, which a test compares. Here, so that it can
// be read in a browser too.
export const version = '0.1.0'
