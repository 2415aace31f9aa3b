module.exports = globalThis.moduleOfTheWorker('pg');
