module.exports = globalThis.libraryOfTheWorker('undici');
