"""The ground floor of studies: their records, designs, tasks and judgements, as files hold them."""
